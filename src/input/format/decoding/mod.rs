//! What the decoders of Parquet and Arrow share. What a file declares is checked before it is believed.

mod fault;
mod guard;
mod content;
mod codec;
mod dates;
mod value_type;
mod projection;

pub use codec::{Codec, believable, inflate};
pub use dates::Unit;
#[cfg(feature = "parquet")]
pub use dates::{clock, date};
pub use fault::Fault;
pub use guard::{guarded, is_decoding};
pub use projection::{Listed, project};
pub use value_type::ValueType;
