import { type Need, needs } from '../../access/rights.ts';
import { hosted } from '../../lib/base.ts';
import { paths } from '../../lib/paths.ts';
import type { IconName } from '../../ui/text/icons.tsx';

/** Creation or lookup that the palette offers on every page. */
export type AnywhereAction = {
  readonly label: string;
  readonly to: string;
  readonly icon: IconName;
  readonly need: Need;
  readonly aliases: readonly string[];
  /** True for a page outside this application: the browser loads the address. */
  readonly isBeside?: boolean;
};

const writes: Need = { words: 'the Editor role', admits: (rights) => rights.canWrite };
const create = ['create add make new'];

/** Records that users can create from every page. */
export const creations: readonly AnywhereAction[] = [
  {
    label: 'Get your first alert',
    to: paths.firstAlert(),
    icon: 'notification',
    need: writes,
    aliases: ['new start begin help file csv upload'],
  },
  { label: 'New query', to: paths.newQuery(), icon: 'query', need: writes, aliases: [...create, 'sql'] },
  {
    label: 'New subscription',
    to: paths.subscriptions({ new: 'yes' }),
    icon: 'subscription',
    need: writes,
    aliases: ['create add subscribe alert schedule'],
  },
  { label: 'New project', to: paths.newProject(), icon: 'project', need: writes, aliases: create },
  {
    label: 'Connect a data source',
    to: paths.dataSources({ new: 'yes' }),
    icon: 'source',
    need: needs.permission('DataSourceAdmin'),
    aliases: ['new create add database connection'],
  },
  {
    label: 'New recipient',
    to: paths.recipients({ new: 'yes' }),
    icon: 'recipient',
    need: needs.permission('SecurityAdmin'),
    aliases: ['create add webhook email chat'],
  },
  {
    label: 'New API key',
    to: paths.apiKeys({ new: 'yes' }),
    icon: 'key',
    need: needs.project,
    aliases: [...create, 'token'],
  },
  {
    label: 'New user',
    to: paths.users({ new: 'yes' }),
    icon: 'users',
    need: needs.permission('UserAdmin'),
    aliases: ['create add person invite'],
  },
  {
    label: 'New data contract',
    to: paths.newContract(),
    icon: 'quality',
    need: writes,
    aliases: ['create add data quality rules checks'],
  },
  {
    label: 'New AI actor',
    to: paths.newAiActor(),
    icon: 'actor',
    need: writes,
    aliases: ['create add agent assistant'],
  },
  {
    label: 'New migration job',
    to: paths.newMigrationJob(),
    icon: 'migration',
    need: needs.migrations,
    aliases: ['create add copy data'],
  },
];

/** Pages that answer questions of users. */
export const lookups: readonly AnywhereAction[] = [
  {
    label: 'What errors mean',
    to: hosted('/svc/help/errors'),
    icon: 'about',
    need: needs.nothing,
    aliases: ['problem code'],
    isBeside: true,
  },
];
