//! Dates counted day by day: slow, but simple enough to be trusted.

/// Milliseconds since 1970 UTC.
pub(crate) type Millis = i64;

/// One minute.
pub(crate) const MINUTE: Millis = 60_000;
/// One hour.
pub(crate) const HOUR: Millis = 60 * MINUTE;
/// One day.
pub(crate) const DAY: Millis = 24 * HOUR;

const fn is_leap(year: i64) -> bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

const fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Year, month and day of a time.
fn date(time: Millis) -> (i64, i64, i64) {
    let (mut year, mut month, mut day) = (1970, 1, 1 + time / DAY);
    while day > days_in(year, month) {
        day -= days_in(year, month);
        month += 1;
        if month > 12 {
            (year, month) = (year + 1, 1);
        }
    }
    (year, month, day)
}

/// Number of months between the months of two times.
pub(crate) fn months_between(before: Millis, after: Millis) -> i64 {
    let count = |time| {
        let (year, month, _) = date(time);
        year * 12 + month
    };
    count(after) - count(before)
}

/// The first moment of the next month.
pub(crate) fn next_month(time: Millis) -> Millis {
    let (year, month, day) = date(time);
    (time / DAY + days_in(year, month) - day + 1) * DAY
}

/// The time in the API's format.
pub(crate) fn wire(time: Millis) -> String {
    let (year, month, day) = date(time);
    let (hours, minutes, seconds) =
        (time % DAY / HOUR, time % HOUR / MINUTE, time % MINUTE / 1_000);
    let millis = time % 1_000;
    format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{millis:03}Z")
}

#[test]
fn days_are_counted_right() {
    let start = crate::harness::START;
    assert_eq!(wire(start), "2026-11-21T09:30:00.000Z");
    assert_eq!(wire(next_month(start)), "2026-12-01T00:00:00.000Z");
    assert_eq!(wire(next_month(next_month(start)) - 1), "2026-12-31T23:59:59.999Z");
    assert_eq!(months_between(start, start + 365 * DAY), 12);
    assert_eq!(wire(1_835_395_200_000), "2028-02-29T00:00:00.000Z");
}
