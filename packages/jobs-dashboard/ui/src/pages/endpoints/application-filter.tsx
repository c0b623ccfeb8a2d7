import { useAddress } from '../../lib/address.ts';
import { useApplications, useSession } from '../../lib/requests.ts';
import { selectClass } from '../../parts/controls.tsx';

const all = '*';

/** Returns the selected application: from the URL, else the host's default. */
export function useApplication(): string | undefined {
  const { query } = useAddress();
  const ownName = useSession().data?.applicationName ?? undefined;
  const application = query['application'] ?? ownName;
  return application === all ? undefined : application;
}

/** Selection of an application, shown when named applications have recorded calls. */
export function ApplicationFilter() {
  const { setQuery } = useAddress();
  const names = useApplications().data?.items ?? [];
  const selected = useApplication();
  if (names.length === 0) return null;
  return (
    <label className="row">
      <span className="soft">Application</span>
      <select
        className={selectClass}
        value={selected ?? all}
        onChange={(event) => setQuery({ application: event.target.value })}
      >
        <option value={all}>All</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
