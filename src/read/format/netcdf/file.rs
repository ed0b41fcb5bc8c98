//! A file, and the variables of its groups.

use super::variable::Variable;
use crate::budget::{Budget, Reservation};
use crate::bytes::{Content, unreadable};
use crate::caught::caught;
use crate::error::InputError;
use hdf5_reader::Hdf5File;
use hdf5_reader::group::Group;
use netcdf_reader::{
    BytesStorage, DynStorage, FileStorage, NcFile, NcFormat, NcGroup, NcMetadataMode, NcOpenOptions,
};
use std::fmt;
use std::sync::Arc;

/// Bytes of decoded chunks that are remembered at most.
const REMEMBERED: u64 = 128 << 20;
/// Groups within groups that are looked at.
const DEEPEST: usize = 32;
const MOST_VARIABLES: usize = 10_000;
const MOST_GROUPS: usize = 10_000;

/// An open file.
pub(super) struct NetcdfFile {
    /// The file's name in messages.
    pub name: String,
    /// Name of the format.
    pub kind: &'static str,
    reader: NcFile,
    /// The chunks that are remembered.
    _chunks: Reservation,
}

impl fmt::Debug for NetcdfFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetcdfFile").field("name", &self.name).finish_non_exhaustive()
    }
}

impl NetcdfFile {
    /// Opens a file; what its chunks may take is taken off the budget.
    ///
    /// # Errors
    /// When its superblock or header is damaged, or there is too little memory.
    pub(super) fn open(content: Content, name: &str, budget: &Arc<Budget>) -> Result<Self, InputError> {
        let storage: DynStorage = match content {
            Content::Memory(bytes) => Arc::new(BytesStorage::from_owner(bytes)),
            Content::File(file, _) => {
                let copy = file.try_clone().map_err(|e| unreadable(name, &e))?;
                Arc::new(FileStorage::from_file(copy).map_err(|e| damaged(name, &e))?)
            }
        };
        let most = budget.left() / 4;
        let remembered = REMEMBERED.min(budget.left() / 8);
        let chunks = budget.reserve(remembered).map_err(|s| s.of(name, "its chunks"))?;
        check_groups(&storage, name)?;
        // A file that does not follow NetCDF's own rules in all is read as HDF5, whose axes may have no names.
        let opened = |mode: NcMetadataMode| {
            let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
            let options = NcOpenOptions {
                chunk_cache_bytes: size(remembered),
                max_chunk_bytes: size(most),
                max_read_bytes: size(most),
                metadata_mode: mode,
                ..NcOpenOptions::default()
            };
            guarded(|| {
                let file = NcFile::from_storage_with_options(Arc::clone(&storage), options)?;
                file.root_group()?;
                Ok(file)
            })
        };
        let reader = opened(NcMetadataMode::Strict).or_else(|_| opened(NcMetadataMode::Lossy));
        let reader = reader.map_err(|what| InputError::refused(name, "", what))?;
        let is_netcdf = reader.global_attribute("_NCProperties").is_ok()
            || reader.dimensions().is_ok_and(|d| !d.is_empty());
        let kind = match reader.format() {
            NcFormat::Classic | NcFormat::Offset64 | NcFormat::Cdf5 => "NetCDF file of version 3",
            _ if is_netcdf => "NetCDF file of version 4",
            _ => "HDF5 file",
        };
        Ok(Self { name: name.to_owned(), kind, reader, _chunks: chunks })
    }

    /// Runs a reading of the file.
    ///
    /// # Errors
    /// Why it failed, in words.
    pub(super) fn read<T>(
        &self,
        work: impl FnOnce(&NcFile) -> Result<T, netcdf_reader::Error>,
    ) -> Result<T, String> {
        guarded(|| work(&self.reader))
    }

    /// The variables of all groups.
    ///
    /// # Errors
    /// When they cannot be read, or are too many.
    pub(super) fn variables(&self) -> Result<Vec<Variable>, InputError> {
        let root = self.reader.root_group().map_err(|e| damaged(&self.name, &e))?;
        let mut out = Vec::new();
        self.add(root, "", 0, &mut out)?;
        Ok(out)
    }

    fn add(
        &self,
        group: &NcGroup,
        path: &str,
        depth: usize,
        out: &mut Vec<Variable>,
    ) -> Result<(), InputError> {
        if depth > DEEPEST || out.len() + group.variables.len() > MOST_VARIABLES {
            let what = format!("holds over {MOST_VARIABLES} variables, or over {DEEPEST} levels of groups");
            return Err(InputError::limit(&self.name, what));
        }
        let joined = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        out.extend(group.variables.iter().map(|v| Variable::new(v, joined(v.name()))));
        group.groups.iter().try_for_each(|g| self.add(g, &joined(&g.name), depth + 1, out))
    }
}

/// Refuses a file of HDF5 whose groups hold themselves, or are too many: the reader of `NetCDF` walks through all of them.
///
/// # Errors
/// As it says; other damage is left to that reader.
fn check_groups(storage: &DynStorage, name: &str) -> Result<(), InputError> {
    fn walk(group: &Group, above: &mut Vec<u64>, left: &mut usize) -> Result<(), &'static str> {
        if above.contains(&group.address()) {
            return Err("a group of it holds itself, by a link");
        }
        if above.len() > DEEPEST || *left == 0 {
            return Err("it has too many groups, or groups within groups");
        }
        *left -= 1;
        above.push(group.address());
        let groups = group.groups().unwrap_or_default();
        let walked = groups.iter().try_for_each(|group| walk(group, above, left));
        above.pop();
        walked
    }
    let root = || Hdf5File::from_storage(Arc::clone(storage)).ok()?.root_group().ok();
    let walked = caught(|| root().map_or(Ok(()), |root| walk(&root, &mut Vec::new(), &mut { MOST_GROUPS })));
    walked.unwrap_or(Ok(())).map_err(|what| InputError::refused(name, "", format!("cannot be read: {what}")))
}

/// Runs a reader of foreign bytes; a panic in it is a damaged file.
fn guarded<T>(work: impl FnOnce() -> Result<T, netcdf_reader::Error>) -> Result<T, String> {
    match caught(work) {
        Some(done) => done.map_err(|e| format!("cannot be read: {e}")),
        None => Err("cannot be read: the decoder failed".to_owned()),
    }
}

fn damaged(name: &str, error: &impl fmt::Display) -> InputError {
    InputError::refused(name, "", format!("cannot be read: {error}"))
}
