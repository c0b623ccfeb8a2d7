declare module 'pg/lib/utils.js' {
  const utils: {
    /** Returns the wire form of a value: text, bytes or null. */
    readonly prepareValue: (value: unknown) => string | Buffer | null;
  };
  export default utils;
}
