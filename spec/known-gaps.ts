import { defects } from './gaps/defects.ts';
import type { Gap } from './gaps/gap.ts';
import { keys } from './gaps/keys.ts';
import { mcp } from './gaps/mcp.ts';
import { projects } from './gaps/projects.ts';
import { restConventions } from './gaps/rest-conventions.ts';
import { restGroups } from './gaps/rest-groups.ts';
import { webUi } from './gaps/web-ui.ts';

/**
 * Requirements that no scenario verifies, by the subject that builds them. The list only shrinks: a new scenario
 * removes its gaps, and the coverage check refuses an id that is both cited and listed.
 * `defects` lists requirements with a scenario that the service does not satisfy.
 */
export const knownGaps: Readonly<Record<string, readonly Gap[]>> = {
  defects,
  keys,
  mcp,
  projects,
  'rest-conventions': restConventions,
  'rest-groups': restGroups,
  'web-ui': webUi,
};
