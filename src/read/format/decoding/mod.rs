//! What the decoders of Parquet and Arrow share. What a file declares is checked before it is believed.

mod fault;
mod guard;
mod content;
mod codec;
mod dates;
mod value_type;
mod projection;

pub(crate) use codec::{Codec, believable, inflate};
pub(crate) use dates::Unit;
#[cfg(feature = "parquet")]
pub(crate) use dates::{clock, date};
pub(crate) use fault::Fault;
pub(crate) use guard::guarded;
pub use guard::is_decoding;
pub(crate) use projection::{Listed, project};
pub(crate) use value_type::ValueType;
