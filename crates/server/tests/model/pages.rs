//! Compares lists page by page.

use crate::actions::Sizes;
use crate::diff::list_differences;
use crate::world::World;
use serde_json::Value;

impl World {
    /// Compares a list as a whole and, if sizes are given, by offset and by cursor.
    pub(crate) async fn compare_list(
        &mut self,
        viewer: usize,
        path: &str,
        expected: &[Value],
        sizes: Option<Sizes>,
    ) -> Result<(), String> {
        self.compare_offset_list(viewer, path, expected, sizes).await?;
        let Some(Sizes(_, limit, _)) = sizes else {
            return Ok(());
        };
        let found = self.by_link(viewer, path, limit).await?;
        list_differences(&format!("{path}limit={limit}, by cursor"), expected, &found)
    }

    /// Compares a list without cursors as a whole and, if sizes are given, by offset.
    pub(crate) async fn compare_offset_list(
        &mut self,
        viewer: usize,
        path: &str,
        expected: &[Value],
        sizes: Option<Sizes>,
    ) -> Result<(), String> {
        let whole = self.by_offset(viewer, path, 50).await?;
        list_differences(path, expected, &whole)?;
        let Some(Sizes(limit, _, _)) = sizes else {
            return Ok(());
        };
        let found = self.by_offset(viewer, path, limit).await?;
        list_differences(&format!("{path}limit={limit}, by offset"), expected, &found)
    }

    /// Loads a list by offset until a page is not full.
    async fn by_offset(
        &mut self,
        viewer: usize,
        path: &str,
        limit: usize,
    ) -> Result<Vec<Value>, String> {
        let mut found = Vec::new();
        loop {
            let path = format!("{path}limit={limit}&offset={}", found.len());
            let rows = rows_of(self.get(viewer, &path).await?.body)?;
            let count = rows.len();
            found.extend(rows);
            if count < limit {
                return Ok(found);
            }
        }
    }

    /// Loads a list by its `Link` headers; every page with a next one must be full.
    async fn by_link(
        &mut self,
        viewer: usize,
        path: &str,
        limit: usize,
    ) -> Result<Vec<Value>, String> {
        let mut found = Vec::new();
        let mut next = Some(format!("{path}limit={limit}"));
        while let Some(path) = next {
            let page = self.get(viewer, &path).await?;
            let rows = rows_of(page.body)?;
            if (rows.len() == limit) != page.next.is_some() {
                let next = page.next;
                return Err(format!(
                    "{path}: {} rows of {limit}, and next is {next:?}",
                    rows.len()
                ));
            }
            found.extend(rows);
            next = page.next;
        }
        Ok(found)
    }
}

fn rows_of(body: Value) -> Result<Vec<Value>, String> {
    match body {
        Value::Array(rows) => Ok(rows),
        other => Err(format!("a list was expected, found {other}")),
    }
}
