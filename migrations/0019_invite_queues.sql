-- Invites that wait get queues of their own, 4 to 7, so that nobody who logs in waits behind them.
insert into jobs (part, id, kind, payload, run_at, attempts)
  select part + 4, id, kind, payload, run_at, attempts from jobs where kind = 'invite_mail' and part < 4;
delete from jobs where kind = 'invite_mail' and part < 4;
