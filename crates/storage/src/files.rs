//! Objects as files in a folder.

mod listing;
mod place;
mod reading;
mod writing;

use std::fs;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::Stream;

use crate::blocking::blocking;
use crate::incoming::Incoming;
use crate::key::Key;
use crate::{Created, Failure, Object};

use place::Places;

/// A folder of objects. Several processes may use it at once.
///
/// The object `posts/5f3a/640.webp` is the file `<folder>/c/87/posts@5f3a@640.webp`: the three
/// hexadecimal digits come from a hash of the key, so that the 4,096 folders fill evenly whatever
/// keys look like, and a slash becomes `@`, which no key contains, so that no key leads out of its
/// folder.
#[derive(Debug, Clone)]
pub struct Files {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    places: Places,
    incoming: Incoming,
}

impl Files {
    /// Opens the folder, making it when it is not there. An error is one sentence.
    pub(crate) async fn open(folder: &Path) -> Result<Self, String> {
        let folder = folder.to_path_buf();
        let sentence = format!("the folder of objects {} cannot be used", folder.display());
        let opened = blocking(move || {
            let incoming = Incoming::open(folder.join("incoming"))?;
            writing::flush_folder(&folder)?;
            writing::flush_folder(folder.parent().unwrap_or(&folder))?;
            let places = Places::new(folder);
            let inner = Arc::new(Inner { places, incoming });
            Ok(Self { inner })
        });
        opened
            .await
            .map_err(|failure| format!("{sentence}: {failure}"))
    }

    pub(crate) async fn put(&self, key: Key<'_>, bytes: Bytes) -> Result<(), Failure> {
        let (inner, place) = (Arc::clone(&self.inner), self.inner.places.of(key));
        blocking(move || Ok(writing::replace(&inner.incoming, &place, &bytes)?)).await
    }

    pub(crate) async fn create<E>(
        &self,
        key: Key<'_>,
        body: impl Stream<Item = Result<Bytes, E>>,
        limit: u64,
    ) -> Result<Created, Failure> {
        let (temporary, length) = self.inner.incoming.receive(body, limit).await?;
        let place = self.inner.places.of(key);
        blocking(move || Ok(writing::create_once(&temporary, &place, length)?)).await
    }

    pub(crate) async fn size(&self, key: Key<'_>) -> Result<Option<u64>, Failure> {
        let place = self.inner.places.of(key);
        blocking(move || match fs::symlink_metadata(place.file()) {
            Ok(data) if data.is_file() => Ok(Some(data.len())),
            Ok(_) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        })
        .await
    }

    pub(crate) async fn get(&self, key: Key<'_>, limit: u64) -> Result<Option<Bytes>, Failure> {
        let place = self.inner.places.of(key);
        blocking(move || reading::whole(&place.file(), limit)).await
    }

    pub(crate) async fn read(
        &self,
        key: Key<'_>,
        range: Option<Range<u64>>,
    ) -> Result<Option<Object>, Failure> {
        reading::object(self.inner.places.of(key), range).await
    }

    pub(crate) async fn delete(&self, key: Key<'_>) -> Result<(), Failure> {
        let place = self.inner.places.of(key);
        blocking(move || Ok(writing::remove(&place)?)).await
    }

    pub(crate) async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, u64)>, Failure> {
        let inner = Arc::clone(&self.inner);
        let (prefix, after) = (prefix.to_owned(), after.map(str::to_owned));
        blocking(move || Ok(listing::page(&inner.places, &prefix, after, limit)?)).await
    }

    /// Writes a byte, without waiting for the disk.
    pub(crate) async fn ready(&self) -> Result<(), Failure> {
        let inner = Arc::clone(&self.inner);
        blocking(move || {
            let temporary = inner.incoming.begin()?;
            (&*temporary.file).write_all(b"?")?;
            Ok(())
        })
        .await
    }
}
