import type { QueryVersion } from '@svc/contract';
import type { ReactNode } from 'react';
import { Record } from '../../../ui/record/record.tsx';
import { version } from '../requests/versions.ts';

type Props = { readonly id: number; readonly children: (version: QueryVersion) => ReactNode };

/** Reads the author's own version that waits for approval, for the editor. */
export function OwnVersion({ id, children }: Props) {
  return <Record read={version(id)}>{children}</Record>;
}
