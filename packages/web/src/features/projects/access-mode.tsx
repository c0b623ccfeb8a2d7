import type { AccessMode } from '@svc/contract';
import { Icon } from '../../ui/text/icons.tsx';

/** Access mode of a project as a label. */
export function AccessModeLabel({ mode }: { readonly mode: AccessMode }) {
  return (
    <span className="row" style={{ gap: 6 }}>
      <Icon name={mode === 'Open' ? 'open' : 'lock'} size={14} />
      {mode}
    </span>
  );
}
