import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const heapMb = 256;

/**
 * Runs a program in a separate process with a small heap, and returns its output. The promise rejects if the program
 * exceeds the heap.
 *
 * @param program  text of a module
 * @param modules  paths of its imports, which it reads from `process.argv[1]` and so on
 */
export async function runInSmallHeap(program: string, ...modules: readonly string[]): Promise<string> {
  const options = ['--conditions=svc-source', `--max-old-space-size=${heapMb}`, '--input-type=module'];
  const argv = [...options, '--eval', program, '--', ...modules];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { encoding: 'utf8' });
  return stdout.trim();
}

/**
 * Helpers for these programs. `answerOf(start, unit, count, end)` is an HTTP answer whose body is generated while it
 * is read. `outcomeOf(promise)` is the code of the promise's error, or `none`.
 */
export const hostileBody = `
  const piece = 65_536;
  const answerOf = (start, unit, count, end) => ({
    status: 200,
    header: () => undefined,
    isEndMarked: true,
    body: (async function* () {
      yield Buffer.from(start);
      const perPiece = Math.floor(piece / unit.length);
      for (let left = count; left > 0; left -= perPiece) yield Buffer.from(unit.repeat(Math.min(left, perPiece)));
      yield Buffer.from(end);
    })(),
  });
  const outcomeOf = (promise) => promise.then(() => 'none', (error) => error.code ?? String(error));
`;
