import { restoreBackup } from '../restore.ts';

/** A process that restores, stops half-way and reports it, so that the test can kill it there. */
const { connection, file } = JSON.parse(process.argv[2] ?? '{}');
await restoreBackup({
  connection,
  file,
  asCopy: false,
  onProgress: ({ kind, position }) => {
    if (kind !== 'writing' || position !== 20) return;
    process.send?.('writing', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  },
});
