import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../ui/form/dialog.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { ConnectClient } from '../../views/connect-client/connect-client.tsx';
import classes from './api-keys-page.module.css';

/** Shows the secret of a new key. The service returns it only once. */
export function ShownOnce({
  plainKey,
  clientKeyId,
  onClose,
}: {
  readonly plainKey: string;
  /** Id of a key that may use MCP. The dialog then explains how to connect a client. */
  readonly clientKeyId?: number | undefined;
  readonly onClose: () => void;
}) {
  const [isKept, setKept] = useState(false);
  return (
    <Dialog
      onClose={() => undefined}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title="Copy the key now"
      size={560}
    >
      <div className="stack">
        <p>It is shown only once. Only its hash is stored, so it cannot be shown again.</p>
        <code className={classes['key']}>{plainKey}</code>
        <div>
          <CopyButton value={plainKey} label="Copy key" isWide />
        </div>
        <p className="soft">
          Send it as <code>Authorization: Bearer &lt;key&gt;</code>.
        </p>
        {clientKeyId !== undefined && (
          <>
            <h3>Connect a client</h3>
            <ConnectClient newKey={{ id: clientKeyId, text: plainKey }} />
          </>
        )}
        <Checkbox
          label="I have stored the key"
          checked={isKept}
          onChange={(event) => setKept(event.currentTarget.checked)}
        />
        <div className="row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="filled" disabled={!isKept} onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
