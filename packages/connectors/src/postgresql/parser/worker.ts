import { parentPort } from 'node:worker_threads';
import { parseRaw } from './instance.ts';

/** Answers each message, a number and a text, with the number and the parser's result. */
parentPort?.on('message', ([id, sql]: readonly [number, string]) => {
  void parseRaw(sql).then((result) => parentPort?.postMessage([id, result]));
});
