import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readFolder } from './read-folder.ts';

/** Creates a folder with these files. */
function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-folder-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

const file = 'recipients/ops.yaml';

test('a file that is not in UTF-8 is refused by name, and text in UTF-8 is read unchanged', () => {
  for (const content of [
    Buffer.from('name: Störung\n', 'latin1'),
    Buffer.from('\ufeffname: Ops\n', 'utf16le'),
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]),
  ]) {
    const folder = folderOf({ [file]: content });
    expect(() => readFolder(folder)).toThrow(
      `${path.join(folder, file)} is no text in UTF-8. Save it as UTF-8.`,
    );
  }
  expect(readFolder(folderOf({ [file]: 'name: Störung 🛠\n' }))).toEqual([
    { path: file, content: 'name: Störung 🛠\n' },
  ]);
});

test('a symbolic link is refused, and hidden files and files outside the known folders are ignored', () => {
  const folder = folderOf({ [file]: 'a: 1', 'recipients/.draft.yaml': 'b: 1', 'notes/x.yaml': 'c: 1' });
  expect(readFolder(folder).map((each) => each.path)).toEqual([file]);
  symlinkSync('/etc/passwd', path.join(folder, 'recipients/passwd.yaml'));
  expect(() => readFolder(folder)).toThrow('passwd.yaml is a link: links are not followed.');
});
