import type { ReactNode } from 'react';
import { useAddress } from '../frame/address.ts';
import classes from './detail.module.css';

export type Section = {
  readonly id: string;
  readonly label: string;
  readonly count?: number | undefined;
  readonly content: ReactNode;
};

type Props = {
  /** Sections of the record. The address stores the selected one. */
  readonly sections: readonly Section[];
  /** Facts in a narrow column on the right. */
  readonly side?: ReactNode;
};

/** Body of a record's page. */
export function Detail({ sections, side }: Props) {
  const [{ tab }, change] = useAddress();
  const present = sections.find((section) => section.id === tab) ?? sections[0];
  const onKeyDown = (event: React.KeyboardEvent<HTMLDivElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || !present) return;
    const at = (sections.indexOf(present) + step + sections.length) % sections.length;
    const next = sections[at];
    if (!next) return;
    change({ tab: next.id });
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus();
  };
  return (
    <div className={classes['detail']} data-side={side !== undefined}>
      <div className={classes['body']}>
        {sections.length > 1 && (
          <div role="tablist" className={classes['tabs']} onKeyDown={onKeyDown}>
            {sections.map((section) => (
              <button
                key={section.id}
                type="button"
                role="tab"
                id={`tab-${section.id}`}
                aria-selected={section === present}
                aria-controls={section === present ? 'tab-content' : undefined}
                tabIndex={section === present ? 0 : -1}
                onClick={() => change({ tab: section === sections[0] ? undefined : section.id })}
              >
                {section.label}
                {section.count !== undefined && <span className="mono soft">{section.count}</span>}
              </button>
            ))}
          </div>
        )}
        {sections.length > 1 ? (
          <div role="tabpanel" id="tab-content" aria-labelledby={`tab-${present?.id}`} className="stack">
            {present?.content}
          </div>
        ) : (
          <div className="stack">{present?.content}</div>
        )}
      </div>
      {side !== undefined && (
        <aside className={classes['side']} aria-label="Facts">
          {side}
        </aside>
      )}
    </div>
  );
}
