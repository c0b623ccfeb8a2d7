import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { runCli } from '@svc/cli';
import { bearerSettings, issuer, tokenOf } from '@svc/testkit/people/access-token.ts';
import { addKey } from '@svc/testkit/people/people.ts';
import { startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { expect, onTestFinished } from 'vitest';
import { scenario } from '../support/scenario.ts';

type Env = Readonly<Record<string, string>>;

/** A machine of a user: a folder of files, and the command line. */
function machine(url: string, key: string, env: Env = {}) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'svc-files-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = path.join(home, 'records');
  return {
    home,
    folder,
    read: (name: string) => readFileSync(path.join(folder, name), 'utf8'),
    write: (name: string, text: string) => {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    },
    svc: async (line: string, more: Env = {}) => {
      let [out, said] = ['', ''];
      const code = await runCli([...line.split(' ').filter(Boolean)], {
        env: { SVC_URL: url, SVC_KEY: key, ...env, ...more },
        stdin: (async function* () {})(),
        askSecret: undefined,
        answer: (part) => {
          out += part.toString();
        },
        say: (text) => {
          said += `${text}\n`;
        },
        isTerminal: false,
        folder: home,
        signal: new AbortController().signal,
      });
      return { code, out, said };
    },
  };
}

const query = 'projects/shop/queries/orders.yaml';

scenario(
  ['RT-4.3-993', 'RT-4.3-994'],
  'commands export, plan and apply an edited folder, and report differences by their exit codes',
  async ({ onEnd }) => {
    const fixture = await startRunFixture({
      config: {
        'Svc:Jobs:Workers': 0,
        'Svc:ApprovalWorkflow:Enabled': true,
        'Svc:ApprovalWorkflow:CoversQueries': false,
        ...bearerSettings,
      },
    });
    onEnd(fixture.close);
    const { svc, projectId, sink } = fixture;
    const queryId = await fixture.addQuery('select id from orders', { name: 'Orders' });
    const key = await addKey(fixture.root, { scopes: ['Execute'], projects: [projectId] });
    const byKey = machine(svc.origin, key.text);
    const { svc: run, folder } = byKey;

    expect((await run(`plan ${folder}`)).code).toBe(2);
    const first = await run(`export ${folder}`);
    expect([first.code, first.out.split('\n').filter(Boolean)]).toEqual([
      5,
      ['projects/shop/project.yaml', query],
    ]);
    expect(first.said).toContain('Left out: data-sources/the-watched-source.yaml.');
    expect(await run(`plan ${folder}`)).toMatchObject({ code: 0, said: '2 Unchanged.\n' });

    const commented = byKey
      .read(query)
      .replace('name: Orders', '# What has not left yet.\nname: Orders # kept');
    byKey.write(query, commented);
    byKey.write('projects/shop/queries/orders.sql', 'select total from orders\n');
    byKey.write(query, commented.replace(/sql: .*/, 'sql: { file: orders.sql }'));
    const planned = await run(`plan ${folder}`);
    expect([planned.code, planned.out]).toEqual([
      3,
      expect.stringMatching(/Update +projects\/shop\/queries\/orders\.yaml +\/steps\/0\/sql/),
    ]);
    expect(planned.said).toBe('1 Unchanged, 1 Update.\n');
    expect((await run(`apply ${folder}`)).code).toBe(0);
    expect((await fixture.root.get(`/svc/api/queries/${queryId}`)).body.steps[0].sql).toBe(
      'select total from orders\n',
    );
    expect((await run(`plan ${folder}`)).code).toBe(0);
    expect((await run(`drift ${folder}`)).code).toBe(0);

    const steps = [{ dataSourceId: fixture.sourceId, sql: 'select 7 as n\n' }];
    await fixture.root.put(`/svc/api/queries/${queryId}`, { name: 'Orders', description: 'New', steps });
    const drift = await run(`drift ${folder} -o json`);
    expect([drift.code, JSON.parse(drift.out)]).toMatchObject([3, [{ path: query, action: 'Drifted' }]]);
    const again = await run(`export ${folder}`);
    expect(again.out.split('\n').filter(Boolean)).toEqual(['projects/shop/queries/orders.sql', query]);
    expect(byKey.read('projects/shop/queries/orders.sql')).toBe('select 7 as n\n');
    expect(byKey.read(query)).toContain('# What has not left yet.\nname: Orders # kept\n');
    expect(byKey.read(query)).toContain('description: New\n');
    expect(byKey.read(query)).toContain('file: orders.sql');
    expect((await run(`plan ${folder}`)).code).toBe(0);

    byKey.write(
      'recipients/mine.yaml',
      'name: Mine\nnotificationType: Webhook\ndestination: { secret: MINE }\n',
    );
    expect((await run(`plan ${folder}`)).code).toBe(5);
    expect((await run(`apply ${folder}`)).code).toBe(5);
    byKey.write(query, 'name: 1\n');
    const wrong = await run(`plan ${folder}`);
    expect([wrong.code, wrong.said]).toEqual([1, expect.stringContaining(`${query}#/name`)]);

    // A user with the required role, whose recipient waits for approval.
    const owner = { issuer, subject: 'user-1', userName: 'token-user', roles: ['Admin'] };
    await fixture.make('/svc/api/users/external', owner);
    const byToken = machine(svc.origin, tokenOf());
    expect((await byToken.svc(`export ${byToken.folder}`)).code).toBe(0);
    byToken.write('recipients/mine.yaml', byKey.read('recipients/mine.yaml'));
    const missing = await byToken.svc(`apply ${byToken.folder}`);
    expect([missing.code, missing.out]).toEqual([1, expect.stringContaining('MINE')]);
    const secret = sink.urlOf('/of-the-machine');
    const file = path.join(byToken.home, 'secrets.yaml');
    writeFileSync(file, 'MINE: https://example.org/not-this-one\n', { mode: 0o644 });
    const open = await byToken.svc(`plan ${byToken.folder} --secrets-file ${file}`);
    expect([open.code, open.said]).toEqual([2, expect.stringContaining('can be read by others')]);
    chmodSync(file, 0o600);
    writeFileSync(file, `MINE: ${secret}\n`);
    const waiting = await byToken.svc(`apply ${byToken.folder} --secrets-file ${file}`);
    expect(waiting.code).toBe(4);
    expect((await byToken.svc(`plan ${byToken.folder}`, { SVC_SECRET_MINE: secret })).code).toBe(4);
    const rotated = await byToken.svc(`plan ${byToken.folder}`, { SVC_SECRET_MINE: sink.urlOf('/other') });
    expect(rotated.code).toBe(3);
    for (const { out, said } of [missing, waiting, rotated])
      expect(out + said).not.toContain('of-the-machine');
    expect((await byToken.svc(`export ${byToken.folder}`)).code).toBe(0);
    expect(byToken.read('recipients/mine.yaml')).toContain('secret: MINE');
  },
);

scenario(
  ['RT-4.3-995'],
  'the commands follow no link, and write nothing if the service names a path outside the folder',
  async ({ onEnd }) => {
    const answers: object[] = [];
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answers[0] ?? {}));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onEnd(async () => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const { svc: run, folder, home, write } = machine(`http://127.0.0.1:${port}`, 'sk-sem_key');
    for (const name of [
      '../outside.yaml',
      '/tmp/outside.yaml',
      'projects/../../outside.yaml',
      'recipients/a.yaml/../../../b.yaml',
      'recipients\\..\\outside.yaml',
      '.ssh/config.yaml',
      'projects/shop/run.sh',
      'recipients/a.yaml\n',
    ]) {
      answers[0] = { files: [{ path: name, content: 'name: A\n' }], omitted: [] };
      const { code, said } = await run(`export ${folder}`);
      expect([name, code, said]).toEqual([name, 1, expect.stringContaining('no place of a record')]);
    }
    expect(existsSync(folder)).toBe(false);

    const elsewhere = path.join(home, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(folder);
    symlinkSync(elsewhere, path.join(folder, 'recipients'));
    answers[0] = { files: [{ path: 'recipients/a.yaml', content: 'name: A\n' }], omitted: [] };
    const linked = await run(`export ${folder}`);
    expect([linked.code, linked.said]).toEqual([1, expect.stringContaining('is a link')]);
    expect(existsSync(path.join(elsewhere, 'a.yaml'))).toBe(false);
    expect((await run(`plan ${folder}`)).said).toContain('is a link');
    rmSync(path.join(folder, 'recipients'));
    writeFileSync(path.join(elsewhere, 'secret'), 'of another');
    mkdirSync(path.join(folder, 'recipients'));
    symlinkSync(path.join(elsewhere, 'secret'), path.join(folder, 'recipients/a.yaml'));
    const file = await run(`plan ${folder}`);
    expect([file.code, file.said]).toEqual([1, expect.stringContaining('is a link')]);
    rmSync(path.join(folder, 'recipients/a.yaml'));
    write('recipients/large.yaml', `name: ${'x'.repeat(1_048_600)}\n`);
    expect((await run(`plan ${folder}`)).said).toContain('larger than 1 MB');
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    expect(await run(`plan ${folder}`)).toMatchObject({
      code: 2,
      said: expect.stringContaining('no file of a record'),
    });
  },
);

scenario(
  ['RT-2-977'],
  'the outputs of list, export, plan and drift contain no control characters of hostile names',
  async ({ onEnd }) => {
    const fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 } });
    onEnd(fixture.close);
    const { svc, projectId } = fixture;
    const queryId = await fixture.addQuery('select id from orders', { name: 'Orders' });
    const key = await addKey(fixture.root, { scopes: ['Read', 'Execute'], projects: [projectId] });
    const { svc: run, folder } = machine(svc.origin, key.text);
    const controls = /(?![\n\r\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
    const outputs: string[] = [];
    const note = async (line: string): Promise<number> => {
      const { code, out, said } = await run(line);
      expect([line, controls.test(out + said)]).toEqual([line, false]);
      outputs.push(out + said);
      return code;
    };
    /** Stores a name that routes refuse. A service of another version could have stored it. */
    const rename = (name: string) =>
      svc.database.query(
        'update svc.queries set name = $1, description = $1, version = version + 1 where id = $2',
        [name, queryId],
      );

    const nasty = 'a\u001b[31mred\u0007\u009b2J\u202ebidi\u007f\u2028';
    expect(await note(`export ${folder}`)).toBe(5);
    expect(await note(`apply ${folder}`)).toBe(0);
    await rename(nasty);
    for (const format of ['table', 'json', 'csv', 'yaml']) {
      expect(await note(`query list -o ${format}`)).toBe(0);
      expect(await note(`query show ${queryId} -o ${format}`)).toBe(0);
    }
    expect(outputs.filter((output) => output.includes('bidi'))).toHaveLength(8);
    for (const format of ['table', 'json', 'csv', 'yaml']) {
      expect(await note(`drift ${folder} -o ${format}`)).toBe(3);
      expect(await note(`plan ${folder} -o ${format}`)).toBe(3);
    }
    expect(await note(`export ${folder}`)).toBe(5);
    // The files now contain the hostile name.
    await note(`plan ${folder}`);
  },
);
