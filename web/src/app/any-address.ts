/** Every address. A route without a path of its own leaves out those with a line break in them. */
export const anyAddress = /^[^]*$/;
