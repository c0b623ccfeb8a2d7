declare module 'pg/lib/utils.js' {
  const utils: {
    /** What goes over the wire for a value: text, bytes or null. */
    readonly prepareValue: (value: unknown) => string | Buffer | null;
  };
  export default utils;
}
