/** The header in which HEAD tells the time of the last genuine notice. */
export const lastNoticeHeader = 'last-notice';
