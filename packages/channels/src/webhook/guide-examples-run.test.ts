import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createSigningSecret, signatureHeaders } from './signature.ts';

const guide = readFileSync(
  path.join(import.meta.dirname, '../../../../docs/guides/webhook-signatures.md'),
  'utf8',
);
const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const programs = [
  { language: 'js', file: 'verify.mjs', command: process.execPath, probe: ['--version'] },
  { language: 'python', file: 'verify.py', command: 'python3', probe: ['-c', 'str.removeprefix'] },
  { language: 'java', file: 'Verify.java', command: 'java', probe: ['--list-modules'] },
] as const;

/** Returns true if the machine can run the program: Python from 3.9 on, Java with its compiler. */
const canRun = ({ command, probe, language }: (typeof programs)[number]): boolean => {
  const { status, stdout } = spawnSync(command, probe, { encoding: 'utf8' });
  return status === 0 && (language !== 'java' || stdout.includes('jdk.compiler'));
};

const body = '{"subscriptionName":"Späte Bestellungen","records":[{"a":"\u2028"}]}';
const secret = createSigningSecret(randomBytes);
const next = createSigningSecret(randomBytes);
const signed = (timestamp: Date, secrets: readonly string[] = [secret]) =>
  signatureHeaders({ messageId: 'run-1-2', timestamp, secrets }, body);

describe.each(programs)('signature example of the guide in $language', (program) => {
  test.skipIf(!canRun(program))(
    'accepts genuine requests and refuses all others',
    () => {
      const code = new RegExp(`\`\`\`${program.language}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1];
      const file = path.join(folder, program.file);
      writeFileSync(file, code ?? '');
      const verify = (
        headers: Readonly<Record<string, string>>,
        arrived = body,
        verifySecret = secret,
      ): number | null => {
        const {
          'webhook-id': id = '',
          'webhook-timestamp': at = '',
          'webhook-signature': all = '',
        } = headers;
        return spawnSync(program.command, [file, verifySecret, id, at, all], { input: arrived }).status;
      };
      const genuine = signed(new Date());
      expect(verify(signed(new Date(), [next, secret]))).toBe(0);
      expect(verify(genuine, `${body} `)).toBe(1);
      // Starting Java takes seconds; the other languages cover the remaining cases.
      if (program.language === 'java') return;
      expect(verify({ ...genuine, 'webhook-id': 'run-1-3' })).toBe(1);
      expect(verify(genuine, body, next)).toBe(1);
      expect(verify({ ...genuine, 'webhook-signature': '' })).toBe(1);
      expect(verify({ ...genuine, 'webhook-timestamp': 'soon' })).toBe(1);
      expect(verify(signed(new Date(Date.now() - 600_000)))).toBe(1);
    },
    120_000,
  );
});
