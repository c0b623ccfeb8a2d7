import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './controls.tsx';
import classes from './dialog.module.css';

type Props = {
  readonly title: string;
  readonly onClose: () => void;
  /** True for a dialog along the right edge, over the full height. */
  readonly isSide?: boolean;
  readonly children: ReactNode;
};

/** Modal dialog. Its button, Escape or a click outside closes it. */
export function Dialog({ title, onClose, isSide = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key; the browser turns it into `cancel`.
    <dialog
      ref={dialog}
      className={classes['dialog']}
      data-side={isSide}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={classes['head']}>
        <h2 id={titleId}>{title}</h2>
        <Button kind="quiet" size="small" aria-label="Close" onClick={onClose}>
          <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
            <path d="m4 4 8 8M12 4l-8 8" stroke="currentColor" strokeWidth="1.500" />
          </svg>
        </Button>
      </div>
      <div className={classes['body']}>{children}</div>
    </dialog>
  );
}

/** Buttons at the end of a dialog. */
export const DialogFoot = ({ children }: { readonly children: ReactNode }) => (
  <div className={classes['foot']}>{children}</div>
);
