//! Files that commands write: never over what they are to read, and never half of one over a whole one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Refuses to write over what is to be read.
///
/// # Errors
/// If one of these files is one of the inputs, with a line for the user.
pub(crate) fn refuse_inputs<'a>(
    option: &str,
    files: impl IntoIterator<Item = &'a PathBuf>,
    inputs: &[PathBuf],
) -> Result<()> {
    for file in files {
        if file.is_file() && inputs.iter().any(|input| is_same_file(file, input)) {
            bail!("{option} {}: this file is to be read; name another one to write", file.display());
        }
    }
    Ok(())
}

/// True if both paths lead to the same file.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |path: &Path| fs::metadata(path).ok().map(|data| (data.dev(), data.ino()));
        identity(one).is_some_and(|one| identity(other) == Some(one))
    }
    #[cfg(not(unix))]
    {
        one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
    }
}

/// Writes a file. One that is there is replaced as a whole, or stays as it is, where the folder allows that; what is no file,
/// such as a pipe, and the output of this command are written to.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write(file: &Path, text: &str) -> Result<()> {
    let cannot = || format!("{}: cannot be written", file.display());
    let is_output = ["/dev/stdout", "/dev/stderr"].iter().any(|output| is_same_file(file, Path::new(output)));
    if is_output || file.exists() && !file.is_file() {
        return fs::write(file, text).with_context(cannot);
    }
    match replace(file, text) {
        Err(error) if file.is_file() && forbids_another(&error) => fs::write(file, text).with_context(cannot),
        replaced => replaced.with_context(cannot),
    }
}

/// Whether there can be no other file in the folder, or not under this name, as where the file is a mount of its own.
fn forbids_another(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | ResourceBusy | CrossesDevices)
}

/// Writes a new file beside the old one and renames it, so that a reader sees either the old or the new text.
fn replace(file: &Path, text: &str) -> io::Result<()> {
    // A symbolic link stays a link.
    let real = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let folder = real.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let mut builder = tempfile::Builder::new();
    let earlier = fs::metadata(&real).ok().map(|data| data.permissions());
    if let Some(permissions) = earlier.clone().or_else(of_a_new_file) {
        builder.permissions(permissions);
    }
    let mut new = builder.tempfile_in(folder)?;
    new.write_all(text.as_bytes())?;
    // What the process may not give a new file, the one that is there keeps.
    earlier.map_or(Ok(()), |permissions| new.as_file().set_permissions(permissions))?;
    new.persist(&real).map_err(|error| error.error)?;
    Ok(())
}

/// The permissions of a new file, before the process's mask.
#[cfg(unix)]
fn of_a_new_file() -> Option<fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(fs::Permissions::from_mode(0o666))
}

/// A temporary file has the permissions of any other new file.
#[cfg(not(unix))]
fn of_a_new_file() -> Option<fs::Permissions> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_replaced_with_its_permissions_and_a_link_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("a.json"), folder.path().join("b.json"));
        write(&file, "one").expect("written");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o664)).expect("changed");
        std::os::unix::fs::symlink(&file, &link).expect("linked");
        write(&link, "two").expect("written");
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).expect("read"), "two");
        assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o664);
    }

    #[test]
    fn what_is_to_be_read_is_not_written_by_any_of_its_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let (trace, hard, new) =
            (folder.path().join("a.std"), folder.path().join("b.std"), folder.path().join("c.std"));
        fs::write(&trace, "one").expect("written");
        fs::hard_link(&trace, &hard).expect("linked");
        let inputs = [trace.clone()];
        for file in [&trace, &hard] {
            let error = refuse_inputs("--report", [file], &inputs).expect_err("it is the input").to_string();
            assert!(error.contains("this file is to be read"), "{error}");
        }
        refuse_inputs("--report", [&new], &inputs).expect("another file");
    }
}
