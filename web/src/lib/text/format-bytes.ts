const UNITS = ["bytes", "KB", "MB", "GB"];

/** A file's length as people say it: "12 bytes", "3.4 MB". */
export function formatBytes(byteCount: number): string {
  let [size, unit] = [byteCount, 0];
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  const digits = unit > 0 && size < 9.95 ? 1 : 0;
  return `${size.toFixed(digits)} ${UNITS[unit]}`;
}
