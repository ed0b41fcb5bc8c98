//! Drops a file onto a window, as file managers do: the protocol XDND.

use super::display::Peer;
use super::viewer::Viewer;
use std::path::Path;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConnectionExt, EventMask, PropMode, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent,
};

impl Viewer<'_> {
    /// Drops a file onto the window.
    pub fn drop_file(&self, path: &Path) {
        let peer = Peer::on(self.display);
        let (connection, source, target) = (&peer.connection, peer.window, self.id);
        let (selection, list) = (peer.atom(b"XdndSelection"), peer.atom(b"text/uri-list"));
        connection.set_selection_owner(source, selection, x11rb::CURRENT_TIME).unwrap();
        let send = |name: &[u8], data: [u32; 5]| {
            let message = ClientMessageEvent::new(32, target, peer.atom(name), data);
            connection.send_event(false, target, EventMask::NO_EVENT, message).unwrap();
        };
        send(b"XdndEnter", [source, 5 << 24, list, 0, 0]);
        let copy = peer.atom(b"XdndActionCopy");
        send(b"XdndPosition", [source, 0, (200 << 16) + 200, 0, copy]);
        let (status, finished) = (peer.atom(b"XdndStatus"), peer.atom(b"XdndFinished"));
        loop {
            match peer.event() {
                Event::SelectionRequest(asked) => {
                    let uri = format!("file://{}\r\n", path.display());
                    connection
                        .change_property(
                            PropMode::REPLACE,
                            asked.requestor,
                            asked.property,
                            list,
                            8,
                            uri.len() as u32,
                            uri.as_bytes(),
                        )
                        .unwrap();
                    let event = SelectionNotifyEvent {
                        response_type: SELECTION_NOTIFY_EVENT,
                        sequence: 0,
                        time: asked.time,
                        requestor: asked.requestor,
                        selection: asked.selection,
                        target: asked.target,
                        property: asked.property,
                    };
                    connection.send_event(false, asked.requestor, EventMask::NO_EVENT, event).unwrap();
                }
                Event::ClientMessage(m) if m.type_ == status => {
                    send(b"XdndDrop", [source, 0, x11rb::CURRENT_TIME, 0, 0]);
                }
                Event::ClientMessage(m) if m.type_ == finished => return,
                _ => {}
            }
        }
    }
}
