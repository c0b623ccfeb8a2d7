import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';
import { sendOnce } from '../support/send-once.ts';

const guide = readFileSync(
  path.join(import.meta.dirname, '../../../docs/guides/webhook-signatures.md'),
  'utf8',
);

const programs = [
  { language: 'js', file: 'verify.mjs', command: process.execPath, probe: ['--version'] },
  { language: 'python', file: 'verify.py', command: 'python3', probe: ['-c', 'str.removeprefix'] },
  { language: 'java', file: 'Verify.java', command: 'java', probe: ['--list-modules'] },
] as const;

scenario(
  ['DL-6-866'],
  'the programs of the guide verify a signed delivery and refuse a changed one',
  async ({ deliver, onEnd }) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-verify-'));
    onEnd(() => Promise.resolve(rmSync(folder, { recursive: true })));
    const fixture = await deliver();
    const query = await fixture.addQuery("select 'Späte Bestellung' as name, 7 as n", 'Signed rows');
    const unsigned = await sendOnce(fixture, query);
    expect(unsigned.received[0]?.headers).not.toHaveProperty('webhook-signature');
    const made = await fixture.root.post(`/svc/api/recipients/${unsigned.recipientId}/signing-secrets`);
    expect(made.status).toBe(201);
    await runNow(fixture.root, unsigned.subscriptionId);
    const arrived = unsigned.requests()[1];
    const header = (name: string) => String(arrived?.headers[name]);
    const verify = (command: string, file: string, body: string) =>
      spawnSync(
        command,
        [
          path.join(folder, file),
          made.body.secret,
          ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header),
        ],
        { input: body },
      ).status;
    const run: string[] = [];
    for (const { language, file, command, probe } of programs) {
      const { status, stdout } = spawnSync(command, [...probe], { encoding: 'utf8' });
      if (status !== 0 || (language === 'java' && !stdout.includes('jdk.compiler'))) continue;
      const code = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? '';
      writeFileSync(path.join(folder, file), code);
      const body = arrived?.text ?? '';
      expect([language, verify(command, file, body)]).toEqual([language, 0]);
      expect([language, verify(command, file, body.replace('"n":7', '"n":8'))]).toEqual([language, 1]);
      run.push(language);
    }
    expect(run).toContain('js');
  },
  { timeout: 120_000 },
);
