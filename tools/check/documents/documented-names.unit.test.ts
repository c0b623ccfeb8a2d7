import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  findNameFaults,
  findUnknownNames,
  findUnlistedNames,
  readCommands,
  readKnownNames,
} from './documented-names.ts';

const root = path.join(import.meta.dirname, '../../..');
const projectNames = readKnownNames(root);
const faultsOf = (text: string, file = 'docs/guides/mcp-clients.md') =>
  findUnknownNames(file, text, projectNames);

test('the documents name only existing things, and their lists are complete', () => {
  expect(findNameFaults(root)).toEqual([]);
});

test('the check finds the existing settings, routes, commands and tools', () => {
  expect(projectNames.settings.size).toBeGreaterThan(100);
  expect(projectNames.routes.length).toBeGreaterThan(300);
  expect([...projectNames.commands.keys()]).toEqual(
    expect.arrayContaining(['start', 'config print', 'demo remove']),
  );
  expect([...projectNames.tools]).toContain('search_saved_queries');
});

describe('names in documents', () => {
  test.each([
    ['a setting', 'Set `Svc:Query:TimeoutSecond`.', 'no setting Svc:Query:TimeoutSecond'],
    ['a setting as a variable', 'Svc__Query__TimeoutSecond=3', 'no setting Svc:Query:TimeoutSecond'],
    ['one of several settings', '`Svc:Host:{Port, Adress}`', 'no setting Svc:Host:Adress'],
    ['a group of settings', '`Svc:Nothing:*`', 'no setting Svc:Nothing'],
    ['a route', '`GET /svc/api/querys`', 'no route GET /svc/api/querys'],
    ['a method of a route', '`DELETE /svc/api/health`', 'no route DELETE /svc/api/health'],
    ['a path', 'see /svc/api/querys/7 there', 'no route /svc/api/querys/7'],
    ['a page', 'on `/svc/subscriptionz`', 'no route /svc/subscriptionz'],
    ['a command', '`npm run svc -- backp FILE`', 'no command "backp FILE"'],
    ['an option', '`npm run svc -- restore FILE --as-copie`', 'restore has no option --as-copie'],
    ['a script', '`npm run bild`', 'no npm script bild'],
    ['a script of a package', '`npm run bild -w @svc/web`', 'no npm script @svc/web bild'],
    ['a problem code', 'answers 409 `no-member`', 'no problem code no-member'],
    ['a tool', 'call `run_query`', 'no MCP tool run_query'],
  ])('are reported if they do not exist: %s', (_name, text, fault) => {
    expect(faultsOf(text).join('\n')).toContain(fault);
  });

  test.each([
    [
      'settings',
      '`Svc:Query:TimeoutSeconds`, `Svc:Mcp:Ceilings:*`, Svc__EncryptionKey_FILE=x, Svc__Query__FileFolders__0=/x',
    ],
    [
      'routes',
      '`PUT /svc/api/queries/7/mcp-tool`, /svc/api/queries, https://example.org/svc/mcp, `/svc/queries/{id}`',
    ],
    [
      'commands',
      '`npm run svc -- config print --all -o json`, `npm run svc -- COMMAND`, `npm run svc -- --help`',
    ],
    ['scripts', '`npm run build -w @svc/jobs-dashboard`, npm run check'],
    ['codes and tools', '403 `insufficient_scope`, code `no-members`, `get_context` with `project_id`'],
  ])('are accepted if they exist: %s', (_name, text) => {
    expect(faultsOf(text)).toEqual([]);
  });
});

test('a command or a tool that no page lists is reported', () => {
  const withMore = {
    ...projectNames,
    commands: new Map([...projectNames.commands, ['defrost', new Set<string>()]]),
    tools: new Set([...projectNames.tools, 'new_tool']),
  };
  const faults = findUnlistedNames(withMore, () => '').join('\n');
  expect(faults).toContain('the command defrost is not listed');
  expect(faults).toContain('the tool new_tool is not named');
  expect(faults).toContain('the command config print is not listed');
});

test('commands are read with their subcommands and options', () => {
  const source = `  program\n    .command('demo')\n    .description('x')\n    .command('remove')\n    .option('-f, --force', 'now')\n    .action(() => 1);\n`;
  expect([...readCommands(source)]).toEqual([['demo remove', new Set(['-f', '--force'])]]);
});
