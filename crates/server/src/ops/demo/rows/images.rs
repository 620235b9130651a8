//! Writes images and their owners.

use super::NetworkWriter;
use crate::features::media;
use crate::platform::clock::DAY;
use kith_db::{Result, params};

const IMAGE: &[&str] =
    &["hash", "kind", "width", "height", "widths", "thumbhash", "uses", "keep_until"];

impl NetworkWriter<'_> {
    /// Writes every image with its reference count. Unused images are kept for a day, as on the server.
    pub(super) fn write_images(&self) -> Result<()> {
        let images = self.content.images();
        let mut rows = self.loader.rows("images", IMAGE)?;
        for (image, uses) in images.iter().zip(&self.uses) {
            let stored = &image.stored;
            rows.add(params![
                &stored.hash,
                media::preset_number(image.kind),
                stored.width,
                stored.height,
                &format!("{:?}", stored.widths),
                &stored.thumbhash,
                *uses,
                (*uses == 0).then_some(self.network.until + DAY),
            ])?;
        }
        let columns = ["owner_id", "upload_id", "hash"];
        let mut rows = self.loader.rows("image_sources", &columns)?;
        for (owner, upload, image) in &self.sources {
            rows.add(params![*owner, *upload, &images[*image].stored.hash])?;
        }
        Ok(())
    }
}
