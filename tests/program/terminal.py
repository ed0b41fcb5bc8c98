"""A terminal around a program, which answers as it is told.

The description is JSON on standard input: `command`; `size`, columns, lines, and a character's width and height in pixels;
`answers`, pairs of a question and its answer; `before`, keys that are typed before the program starts; `signal`, which the last
question brings instead of an answer; `background`, whether the program is no foreground job. What the program printed on the
terminal goes to standard output; standard error has a JSON object: its exit `code`, its `errors`, the input that it left
(`rest`), and whether the terminal's mode is as `before`.
"""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios

# Ends what hangs.
signal.alarm(300)
told = json.load(sys.stdin)
answers = [(question.encode(), answer.encode()) for question, answer in told["answers"]]
master, slave = pty.openpty()
columns, lines, width, height = told["size"]
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, columns * width, lines * height))
# This process leads the session, so that the terminal stays when the program ends.
os.setsid()
fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
os.write(master, told["before"].encode())
before = termios.tcgetattr(slave)
child = subprocess.Popen(
    told["command"],
    stdin=slave,
    stdout=slave,
    stderr=subprocess.PIPE,
    preexec_fn=os.setpgrp if told["background"] else None,
)
printed, errors, seen = b"", b"", 0
is_running = True
while is_running or select.select([master], [], [], 0)[0]:
    for ready in select.select([master, child.stderr], [], [])[0] if is_running else [master]:
        if ready is master:
            printed += os.read(master, 1 << 16)
            continue
        data = os.read(child.stderr.fileno(), 1 << 16)
        errors += data
        is_running = bool(data)
    while found := [(at, q, a) for q, a in answers if (at := printed.find(q, seen)) >= 0]:
        at, question, answer = min(found)
        seen = at + len(question)
        if told["signal"] and question == answers[-1][0]:
            child.send_signal(getattr(signal, told["signal"]))
        else:
            os.write(master, answer)
code = child.wait()
restored = termios.tcgetattr(slave) == before
# What is left is read as soon as it is there, a line or not.
mode = termios.tcgetattr(slave)
mode[3] &= ~termios.ICANON
mode[6][termios.VMIN] = mode[6][termios.VTIME] = 0
termios.tcsetattr(slave, termios.TCSANOW, mode)
rest = os.read(slave, 1 << 16).decode()
sys.stdout.buffer.write(printed)
json.dump({"code": code, "errors": errors.decode(), "rest": rest, "restored": restored}, sys.stderr)
