import classes from './skeleton.module.css';

/** Placeholder bar for text that loads. It has the size of the text. */
export function Bar({ width, height = 8 }: { readonly width: number | string; readonly height?: number }) {
  return <span className={classes['bar']} style={{ width, height }} aria-hidden="true" />;
}

/** Placeholder of a whole page that loads. */
export function PageSkeleton() {
  return (
    <div className="stack" aria-busy="true">
      <span className="visually-hidden" role="status">
        Loading
      </span>
      <div style={{ height: 28, display: 'flex', alignItems: 'center' }}>
        <Bar width={180} height={14} />
      </div>
      <div className={classes['block']} />
    </div>
  );
}
