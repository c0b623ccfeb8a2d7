import { expect, test } from 'vitest';
import { tellProgress } from './progress.ts';
import { terminalOf } from './terminal.ts';

/** Returns the output for 109 tables and a last line. */
function written(output: { readonly isTTY: boolean; readonly columns?: number }): string {
  let text = '';
  const terminal = terminalOf({
    ...output,
    write: (part) => {
      text += part;
    },
  });
  const tell = tellProgress(terminal, 'Writing');
  for (let done = 0; done <= 109; done += 1) tell({ name: `svc.table_${done}`, done, total: 109 });
  terminal.say('Restored.');
  return text;
}

test('on a terminal, progress is one rewritten line that the final message replaces', () => {
  const lines = written({ isTTY: true }).split('\r\x1b[K');
  expect(lines.at(1)).toBe('Writing svc.table_0 (1 of 109)');
  expect(lines.at(-2)).toBe('Writing svc.table_109 (109 of 109)');
  expect(lines.at(-1)).toBe('Restored.\n');
  expect(lines.slice(0, -1).join('')).not.toContain('\n');
});

test('a rewritten line of progress is never wider than its terminal', () => {
  for (const line of written({ isTTY: true, columns: 20 }).split('\r\x1b[K').slice(0, -1))
    expect(line.length).toBeLessThan(20);
});

test('progress in a file has one line for each tenth and no control characters', () => {
  const text = written({ isTTY: false });
  expect(text.split('\n')).toHaveLength(12);
  expect(text).toMatch(/^Writing: 11 of 109 tables\.\n.*\nWriting: 109 of 109 tables\.\nRestored\.\n$/s);
  expect(text).not.toContain('\r');
  expect(text).not.toContain('\x1b');
});
