import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { getSiteName } from "@/lib/site";
import { LegalPage } from "./legal-page";

export default function Terms() {
  const siteName = getSiteName();
  return (
    <LegalPage page="terms" title={t`Terms`}>
      <h2>
        <Trans>{siteName} is for people</Trans>
      </h2>
      <p>
        <Trans>
          One account belongs to one person. Posting by script, buying or selling accounts or invite
          codes, and impersonation end the account.
        </Trans>
      </p>
      <h2>
        <Trans>You vouch for the people you invite</Trans>
      </h2>
      <p>
        <Trans>
          You get a small number of invite codes each month. Give them to people you know. A code
          lets one person in and stops working after seven days.
        </Trans>
      </p>
      <h2>
        <Trans>Your words stay yours</Trans>
      </h2>
      <p>
        <Trans>
          You keep every right to what you post. You allow this network to store it and to show it
          to its members, and nothing more. Post only what you may share.
        </Trans>
      </p>
      <h2>
        <Trans>What has no place here</Trans>
      </h2>
      <p>
        <Trans>
          Threats, harassment, hatred against groups of people, sexual content involving minors,
          spam, and other people's private details are removed, and members who post them may lose
          their account.
        </Trans>
      </p>
      <h2>
        <Trans>No guarantee</Trans>
      </h2>
      <p>
        <Trans>
          The operator runs this server with care, but without warranty. It may be changed,
          interrupted or closed.
        </Trans>
      </p>
    </LegalPage>
  );
}
