import type { DataSource } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { holds } from '../../access/rights.ts';
import { useRights } from '../../access/use-rights.ts';
import { count, words } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { Link } from '../../ui/frame/link.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Time } from '../../ui/text/time.tsx';
import { fieldsOf } from './connection/connection-fields.ts';
import { MigrationWrites } from './migration-writes.tsx';
import { engines } from './requests/engines.ts';

/** Facts of a data source, with the settings of its connection. */
export function SourceFacts({ record }: { readonly record: DataSource }) {
  const { migrationsEnabled } = useRights();
  const titleOf = useSettingTitles(record.engine);
  return (
    <Facts
      facts={[
        { label: 'Description', value: record.description ?? <span className="soft">None</span> },
        {
          label: 'Queries',
          value: <Link to={paths.queries({ dataSourceId: record.id })}>{count(record.queryCount)}</Link>,
        },
        {
          label: 'Available to',
          value: record.isOpenlyReachable ? 'Everyone with a role' : 'Members of its projects',
        },
        ...(migrationsEnabled
          ? [{ label: 'Writes of data migration', value: <MigrationWrites record={record} /> }]
          : []),
        ...Object.entries(record.connection ?? {}).map(([name, value]) => ({
          label: titleOf(name),
          value: <SettingValue value={value} />,
        })),
        ...record.savedSecrets.map((name) => ({
          label: titleOf(name),
          value: <span className="soft">Saved, not shown</span>,
        })),
        { label: 'Updated', value: <Time at={record.updatedAt} /> },
      ]}
    />
  );
}

/** Returns the titles of settings. Only administrators of data sources can read those of the engine. */
function useSettingTitles(engine: string): (name: string) => string {
  const canAdminister = holds(useRights(), 'DataSourceAdmin');
  const { data } = useQuery({ ...engines, enabled: canAdminister });
  const schema = data?.engines.find((kind) => kind.engine === engine)?.settingsSchema;
  const titles = new Map(fieldsOf(schema).map(([name, field]) => [name, field.title]));
  return (name) => titles.get(name) ?? words(name);
}

/** Maximum length of a displayed setting. A document shows only its beginning. */
const settingLengthMax = 100;

function SettingValue({ value }: { readonly value: unknown }) {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  const text = isList ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return <code>{text.length > settingLengthMax ? `${text.slice(0, settingLengthMax)}…` : text}</code>;
}
