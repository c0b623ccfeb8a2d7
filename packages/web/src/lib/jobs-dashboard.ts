/** Path of the dashboard of background jobs, from the head of the page. Undefined if the host does not serve it. */
export const jobsDashboard: string | undefined = (() => {
  const path = document.querySelector<HTMLMetaElement>('meta[name="jobs-dashboard"]')?.content;
  // Without a server, the page still contains the placeholder.
  return path?.startsWith('/') ? path : undefined;
})();
