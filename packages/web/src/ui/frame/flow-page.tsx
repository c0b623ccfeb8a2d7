import type { ReactNode } from 'react';
import { PageHeader } from './page-header.tsx';

type Props = {
  readonly title: string;
  readonly parent?: { readonly to: string; readonly label: string };
  readonly intro?: ReactNode;
  readonly children: ReactNode;
};

/** Page with one column that shows one question at a time. */
export function FlowPage({ title, parent, intro, children }: Props) {
  return (
    <div style={{ maxWidth: 640 }}>
      <PageHeader title={title} parent={parent} />
      <div className="stack">
        {intro !== undefined && <p className="soft">{intro}</p>}
        {children}
      </div>
    </div>
  );
}
