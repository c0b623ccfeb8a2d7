import { getHealth } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hosted } from '../../lib/base.ts';
import { read } from '../../lib/server-state.ts';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Facts } from '../../ui/record/facts.tsx';
import { Status } from '../../ui/record/status.tsx';

const changelogPart = later(() => import('./changelog.tsx').then((module) => module.Changelog));
const licence = __LICENSE__ === 'UNLICENSED' ? 'None granted: all rights reserved' : __LICENSE__;

/** Page about the installation: version, state of the service, and the address of the OpenAPI description. */
export function AboutPage() {
  const [isMissing, setMissing] = useState(false);
  const health = useQuery(read(getHealth, {}));
  return (
    <>
      <PageHeader title="About" />
      <div className="stack" style={{ maxWidth: 640 }}>
        <p>
          Svc watches databases. People save queries and subscribe to them on a schedule; whoever needs the
          result gets it by email, chat, issue tracker or any HTTPS endpoint.
        </p>
        <Facts
          facts={[
            { label: 'Version', value: <span className="mono">{__VERSION__}</span> },
            { label: 'Licence', value: licence },
            {
              label: 'Metadata database',
              value: health.isSuccess ? (
                <Status tone="green">Available</Status>
              ) : health.isError ? (
                <Status tone="red">Not responding</Status>
              ) : (
                <Status tone="neutral">Checking</Status>
              ),
            },
            {
              label: 'REST API',
              value: <a href={hosted('/openapi/v1.json')}>{hosted('/openapi/v1.json')}</a>,
            },
            {
              label: 'Documentation',
              value: <a href={hosted('/svc/help/errors')}>What errors mean, and what to do</a>,
            },
            {
              label: 'Keyboard',
              value: (
                <span>
                  Press <kbd>?</kbd> for help and the keyboard shortcuts.
                </span>
              ),
            },
          ]}
        />
        <section aria-labelledby="changelog">
          <h2 id="changelog">Changelog</h2>
          <LazyPart
            code={changelogPart}
            fallback={!isMissing && <p aria-busy="true">Loading the changelog</p>}
            onMissing={() => setMissing(true)}
          >
            {(Changelog) => <Changelog />}
          </LazyPart>
          {isMissing && <p className="soft">The changelog could not be loaded. Load the page again.</p>}
        </section>
      </div>
    </>
  );
}
