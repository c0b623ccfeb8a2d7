import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { findClockFaults } from './clock-reads.ts';
import { findCompositionFaults } from './composition.ts';
import { findFaultyAdrs } from './documents/adr.ts';
import { findNameFaults } from './documents/documented-names.ts';
import { findStalePages } from './documents/generated-pages.ts';
import { findPathFaults } from './documents/paths.ts';
import { findDriverInternals } from './driver-internals.ts';
import { findWordFaults } from './language/glossary.ts';
import { findHandMadePlurals } from './language/hand-made-plurals.ts';
import { findProseFaults } from './language/prose.ts';
import { findScoreFormats } from './language/score-formats.ts';
import { findSizeFaults } from './limits.ts';
import { findLockfileFaults } from './lockfile.ts';
import { type Check, outcomeOf, runProgram } from './run.ts';
import { findWallClockBounds } from './wall-clock-bounds.ts';

const tsc = 'node_modules/typescript/bin/tsc';

/** Folders with code. dependency-cruiser fails on a folder that does not exist. */
const codeFolders = ['packages', 'apps', 'tools', 'spec', 'bench', 'trials', 'examples'];

const holdsCode = (root: string, folder: string): boolean =>
  globSync(`${folder}/**/*.{ts,tsx,mjs}`, {
    cwd: root,
    exclude: (entry) => path.basename(String(entry)) === 'node_modules',
  }).length > 0;

/** All checks, the slowest first. */
export const checks: readonly Check[] = [
  {
    name: 'types',
    purpose: 'tsc on everything but the UI',
    run: (root) => runProgram(root, tsc, ['-p', '.']),
  },
  {
    name: 'web-types',
    purpose: 'tsc on the UI',
    run: async (root) =>
      existsSync(path.join(root, 'packages/web/tsconfig.json'))
        ? runProgram(root, tsc, ['-p', 'packages/web'])
        : { isGood: true, isSkipped: true, output: '' },
  },
  {
    name: 'dashboard-types',
    purpose: 'tsc on the pages of the job dashboard',
    run: (root) => runProgram(root, tsc, ['-p', 'packages/jobs-dashboard/ui']),
  },
  {
    name: 'boundaries',
    purpose: 'the dependency rules in .dependency-cruiser.mjs',
    run: (root) =>
      runProgram(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', [
        '--config',
        '.dependency-cruiser.mjs',
        '--output-type',
        'err-long',
        ...codeFolders.filter((folder) => holdsCode(root, folder)),
      ]),
  },
  {
    name: 'dead-code',
    purpose: 'knip: files, dependencies and exports that nobody uses, or that are used and not declared',
    run: (root) => runProgram(root, 'node_modules/knip/bin/knip.js', ['--no-progress']),
  },
  {
    name: 'lint',
    purpose: 'Biome: format and lint; "npx biome check --write" mends most of it',
    run: (root) => runProgram(root, 'node_modules/@biomejs/biome/bin/biome', ['check', '.']),
  },
  {
    name: 'lockfile',
    purpose:
      'package-lock.json agrees with the manifests, pins every package by its hash and names no registry',
    run: async (root) => outcomeOf(findLockfileFaults(root)),
  },
  {
    name: 'composition',
    purpose:
      'the rules of the composition root: no SQL, no array that is filled later, no use before a declaration',
    run: async (root) => outcomeOf(findCompositionFaults(root)),
  },
  {
    name: 'driver-internals',
    purpose: 'what `pg` does not declare is used in packages/pg-wire alone',
    run: async (root) => outcomeOf(findDriverInternals(root, codeFolders)),
  },
  {
    name: 'decisions',
    purpose: 'docs/adr: one form, 60 lines at most, what is and not how it came about',
    run: async (root) => outcomeOf(findFaultyAdrs(root)),
  },
  {
    name: 'generated',
    purpose: 'pages and lists that are generated from the code are current: "npm run docs" writes them',
    run: async (root) => outcomeOf(findStalePages(root)),
  },
  {
    name: 'words',
    purpose: 'docs/glossary.md: its terms are in the code, and the words that it bans are not',
    run: async (root) => outcomeOf(findWordFaults(root)),
  },
  {
    name: 'paths',
    purpose: 'every path, link and anchor that a document names is there',
    run: async (root) => outcomeOf(findPathFaults(root)),
  },
  {
    name: 'names',
    purpose:
      'every setting, route, command, script, problem code and MCP tool that a document names is there',
    run: async (root) => outcomeOf(findNameFaults(root)),
  },
  {
    name: 'plurals',
    purpose: 'no number is joined to a noun by hand: `plural` of the contract has the form for one',
    run: async (root) => outcomeOf(findHandMadePlurals(root)),
  },
  {
    name: 'scores',
    purpose:
      'scores are written with `scoreText` and `limitText`, so that none appears to reach a limit that it fails',
    run: async (root) => outcomeOf(findScoreFormats(root)),
  },
  {
    name: 'prose',
    purpose: 'docs/style.md: no new unclear language in comments, documents and titles of tests',
    run: async (root) => outcomeOf(findProseFaults(root)),
  },
  {
    name: 'clock-reads',
    purpose: 'no statement of a test reads the clock twice: it takes one `now`',
    run: async (root) => outcomeOf(findClockFaults(root, codeFolders)),
  },
  {
    name: 'wall-clock-bounds',
    purpose: 'no test bounds an elapsed time from above: a busy machine must not fail it',
    run: async (root) => outcomeOf(findWallClockBounds(root, codeFolders)),
  },
  {
    name: 'limits',
    purpose: 'docs/style.md: limits of functions, factories, files and folders; exceptions only shrink',
    run: async (root) => outcomeOf(findSizeFaults(root)),
  },
];
