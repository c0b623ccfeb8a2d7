import { Checkbox } from '@mantine/core';
import { type NoticeKind, noticeKinds, type UserSettings, updateUserSettings } from '@svc/contract';
import { useState } from 'react';
import { words } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastProblem } from '../../ui/feedback/toast.tsx';
import classes from './notice-mails.module.css';

/** Notices that are also sent by email. All notices appear under Notifications. */
export function NoticeMails({ record }: { readonly record: UserSettings }) {
  const change = useChange(updateUserSettings);
  // Shows the selected values immediately. A refusal restores the stored values.
  const [pendingKinds, choose] = useState<readonly NoticeKind[] | null>(null);
  const off = new Set<NoticeKind>(pendingKinds ?? record.unmailedNoticeKinds);
  const toggle = (kind: NoticeKind) => {
    const next = new Set(off);
    if (!next.delete(kind)) next.add(kind);
    choose([...next]);
    change.mutateAsync({ body: { unmailedNoticeKinds: [...next] } }).catch((error: unknown) => {
      choose(null);
      toastProblem(error);
    });
  };
  return (
    <section className="stack-tight" aria-labelledby="notice-mails">
      <h2 id="notice-mails">Notices by email</h2>
      <p className="soft">
        {record.email === null
          ? 'You have no email address: notices stand under Notifications alone.'
          : `They go to ${record.email}. All notices stand under Notifications in any case.`}
      </p>
      <div className={classes['kinds']}>
        {noticeKinds.map((kind) => (
          <Checkbox
            key={kind}
            label={words(kind)}
            checked={!off.has(kind)}
            disabled={record.email === null}
            onChange={() => toggle(kind)}
          />
        ))}
      </div>
    </section>
  );
}
