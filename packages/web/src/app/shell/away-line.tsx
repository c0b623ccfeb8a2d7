import { useEffect } from 'react';
import { noteGap } from '../../features/realtime/invalidate.ts';
import { onReturn, useIsAway } from '../../lib/calls/reachability.ts';
import { Icon } from '../../ui/text/icons.tsx';
import classes from './away-line.module.css';

/**
 * Line that reports that the service does not respond. The page retains its data and reloads it when the service
 * responds again.
 */
export function AwayLine() {
  const isAway = useIsAway();
  useEffect(() => onReturn(noteGap), []);
  return (
    <div role="status">
      {isAway && (
        <p className={classes['line']}>
          <Icon name="warning" size={14} /> The service is not responding. Trying again…
        </p>
      )}
    </div>
  );
}
