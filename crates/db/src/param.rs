//! Statement parameters: integers and text. Booleans are nullable timestamps, binary values are text.

use bytes::{BufMut, BytesMut};
use rusqlite::types::{ToSqlOutput, ValueRef};
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

/// One parameter, borrowed from the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Param<'a> {
    /// SQL null.
    Null,
    /// A BIGINT or SMALLINT.
    Int(i64),
    /// A TEXT.
    Text(&'a str),
}

/// Parameter that a write owns until it runs.
pub(crate) enum OwnedParam {
    Null,
    Int(i64),
    Text(String),
}

impl From<Param<'_>> for OwnedParam {
    fn from(value: Param<'_>) -> Self {
        match value {
            Param::Null => Self::Null,
            Param::Int(value) => Self::Int(value),
            Param::Text(text) => Self::Text(text.to_owned()),
        }
    }
}

impl<'a> From<&'a OwnedParam> for Param<'a> {
    fn from(value: &'a OwnedParam) -> Self {
        match value {
            OwnedParam::Null => Self::Null,
            OwnedParam::Int(value) => Self::Int(*value),
            OwnedParam::Text(value) => Self::Text(value),
        }
    }
}

/// Converts parameters for the PostgreSQL driver.
pub(crate) fn as_dyn<'a>(params: &'a [Param<'_>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|param| param as &(dyn ToSql + Sync)).collect()
}

/// Builds the parameters of a statement: `params![id, name, maybe]`.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::Param::from($value)),*] };
}

impl From<i64> for Param<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<i32> for Param<'_> {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<usize> for Param<'_> {
    /// Converts a count or index, which never exceeds 2⁶³.
    fn from(value: usize) -> Self {
        Self::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Param<'_> {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<Option<i64>> for Param<'_> {
    fn from(value: Option<i64>) -> Self {
        value.map_or(Self::Null, Self::Int)
    }
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a String> for Param<'a> {
    fn from(value: &'a String) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<Option<&'a str>> for Param<'a> {
    fn from(value: Option<&'a str>) -> Self {
        value.map_or(Self::Null, Self::Text)
    }
}

impl rusqlite::ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
        }))
    }
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match (self, ty) {
            (Self::Null, _) => return Ok(IsNull::Yes),
            (Self::Int(value), &Type::INT8) => out.put_i64(*value),
            (Self::Int(value), &Type::INT4) => out.put_i32(i32::try_from(*value)?),
            (Self::Int(value), &Type::INT2) => out.put_i16(i16::try_from(*value)?),
            (Self::Text(value), &Type::TEXT | &Type::VARCHAR) => out.put_slice(value.as_bytes()),
            (value, ty) => {
                return Err(format!("{value:?} does not fit a column of type {ty}").into());
            }
        }
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::INT8 | Type::INT4 | Type::INT2 | Type::TEXT | Type::VARCHAR)
    }

    to_sql_checked!();
}
