-- Holidays of watched row counts: none for the subscriptions that exist.
update svc.subscriptions set anomaly = anomaly || '{"holidayCountry": null, "holidayDates": []}' where anomaly is not null;
