import { LegalLayout } from "./legal-layout";

export default function Terms() {
  return (
    <LegalLayout title="Terms">
      <h2>Kith is for people</h2>
      <p>
        One account belongs to one person. Posting by script, buying or selling accounts or invite
        codes, and impersonation end the account.
      </p>
      <h2>You vouch for the people you invite</h2>
      <p>
        You get a small number of invite codes each month. Give them to people you know. A code lets
        one person in and stops working after seven days.
      </p>
      <h2>Your words stay yours</h2>
      <p>
        You keep every right to what you post. You allow this network to store it and to show it to
        its members, and nothing more. Post only what you may share.
      </p>
      <h2>What has no place here</h2>
      <p>
        Threats, harassment, hatred against groups of people, sexual content involving minors, spam,
        and other people's private details are removed, and members who post them may lose their
        account.
      </p>
      <h2>No guarantee</h2>
      <p>
        The operator runs this server with care, but without warranty. It may be changed,
        interrupted or closed.
      </p>
    </LegalLayout>
  );
}
