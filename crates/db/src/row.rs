//! One result row of either engine, read by column index.

use crate::{Error, Result};
use tokio_postgres::types::{FromSql, Type};

/// Borrowed result row.
#[derive(Debug)]
pub struct Row<'a>(Source<'a>);

enum Source<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a tokio_postgres::Row),
}

impl std::fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Sqlite(_) => "Sqlite",
            Self::Postgres(_) => "Postgres",
        })
    }
}

impl<'a> Row<'a> {
    pub(crate) fn sqlite(row: &'a rusqlite::Row<'a>) -> Self {
        Self(Source::Sqlite(row))
    }

    pub(crate) fn postgres(row: &'a tokio_postgres::Row) -> Self {
        Self(Source::Postgres(row))
    }

    /// Reads a non-null integer column.
    pub fn int(&self, column: usize) -> Result<i64> {
        self.opt_int(column)?.ok_or_else(|| null(column))
    }

    /// Reads a nullable integer column.
    pub fn opt_int(&self, column: usize) -> Result<Option<i64>> {
        match self.0 {
            Source::Sqlite(row) => Ok(row.get(column)?),
            Source::Postgres(row) => {
                let value: Option<AnyInt> = row.try_get(column).map_err(decode)?;
                Ok(value.map(|AnyInt(int)| int))
            }
        }
    }

    /// Reads a non-null text column.
    pub fn text(&self, column: usize) -> Result<String> {
        self.opt_text(column)?.ok_or_else(|| null(column))
    }

    /// Reads a nullable text column.
    pub fn opt_text(&self, column: usize) -> Result<Option<String>> {
        match self.0 {
            Source::Sqlite(row) => Ok(row.get(column)?),
            Source::Postgres(row) => row.try_get(column).map_err(decode),
        }
    }
}

fn null(column: usize) -> Error {
    Error::Decode(format!("column {column} is null"))
}

fn decode(error: impl std::fmt::Display) -> Error {
    Error::Decode(error.to_string())
}

/// Integer of any PostgreSQL width; SQLite has one.
struct AnyInt(i64);

impl<'a> FromSql<'a> for AnyInt {
    fn from_sql(
        ty: &Type,
        raw: &'a [u8],
    ) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(match *ty {
            Type::INT2 => i16::from_sql(ty, raw)?.into(),
            Type::INT4 => i32::from_sql(ty, raw)?.into(),
            _ => i64::from_sql(ty, raw)?,
        }))
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::INT2 | Type::INT4 | Type::INT8)
    }
}
