/** `npm test [-- vitest options]`: all tests, against one built-in PostgreSQL. */
process.argv.splice(2, 0, 'run');
// In this process, so that whoever stops it stops vitest, which then stops the database.
await import(new URL('../node_modules/vitest/vitest.mjs', import.meta.url).href);
