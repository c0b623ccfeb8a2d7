import classes from './brand.module.css';

/** Logo and name of the product. */
export function Brand({ isMarkOnly = false }: { readonly isMarkOnly?: boolean }) {
  return (
    <span className={classes['brand']}>
      <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="var(--accent-solid)" />
        <path
          d="M5 17h6l3-8 5 14 3-6h5"
          fill="none"
          stroke="#fff"
          strokeWidth="2.600"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      {!isMarkOnly && <span className={classes['name']}>Svc</span>}
    </span>
  );
}
