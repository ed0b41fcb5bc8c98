//! Drops a file onto a window, as file managers do: the protocol XDND.

use super::display::Viewer;
use std::path::Path;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ClientMessageEvent, ConnectionExt, EventMask, PropMode, SELECTION_NOTIFY_EVENT, SelectionNotifyEvent,
    WindowClass,
};

impl Viewer<'_> {
    /// Drops a file onto the window.
    pub fn drop_file(&self, path: &Path) {
        let (connection, screen) = x11rb::connect(Some(self.display_name())).unwrap();
        let atom = |name: &[u8]| connection.intern_atom(false, name).unwrap().reply().unwrap().atom;
        let (source, root) = (
            connection.generate_id().unwrap(),
            connection.setup().roots[screen].root,
        );
        connection
            .create_window(
                0,
                source,
                root,
                0,
                0,
                1,
                1,
                0,
                WindowClass::INPUT_ONLY,
                0,
                &Default::default(),
            )
            .unwrap();
        let (selection, list) = (atom(b"XdndSelection"), atom(b"text/uri-list"));
        connection
            .set_selection_owner(source, selection, x11rb::CURRENT_TIME)
            .unwrap();
        let target: u32 = self.id.parse().unwrap();
        let send = |name: &[u8], data: [u32; 5]| {
            let message = ClientMessageEvent::new(32, target, atom(name), data);
            connection
                .send_event(false, target, EventMask::NO_EVENT, message)
                .unwrap();
            connection.flush().unwrap();
        };
        send(b"XdndEnter", [source, 5 << 24, list, 0, 0]);
        send(
            b"XdndPosition",
            [source, 0, (200 << 16) + 200, 0, atom(b"XdndActionCopy")],
        );
        let (status, finished) = (atom(b"XdndStatus"), atom(b"XdndFinished"));
        loop {
            match connection.wait_for_event().unwrap() {
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
                    connection
                        .send_event(false, asked.requestor, EventMask::NO_EVENT, event)
                        .unwrap();
                    connection.flush().unwrap();
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
