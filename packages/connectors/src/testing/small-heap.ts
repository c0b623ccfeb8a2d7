import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const heapMb = 256;

/**
 * What a program prints in a process of its own, whose heap is small: one that holds more than it is bounded to dies, and
 * the promise rejects.
 *
 * @param program  the text of a module
 * @param modules  the paths of what it imports, which it finds as `process.argv[1]` and so on
 */
export async function runInSmallHeap(program: string, ...modules: readonly string[]): Promise<string> {
  const options = ['--conditions=svc-source', `--max-old-space-size=${heapMb}`, '--input-type=module'];
  const argv = [...options, '--eval', program, '--', ...modules];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { encoding: 'utf8' });
  return stdout.trim();
}

/**
 * Part of such a program: `answerOf(start, unit, count, end)` is an answer of HTTP whose body is made as it is read, and
 * `outcomeOf(promise)` the code of the error that it ends with, or `none`.
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
