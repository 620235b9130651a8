import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { getSiteName } from "@/lib/site";
import { LegalPage } from "./legal-page";

export default function Privacy() {
  const siteName = getSiteName();
  return (
    <LegalPage page="privacy" title={t`Privacy`}>
      <h2>
        <Trans>What is stored</Trans>
      </h2>
      <p>
        <Trans>
          Your email address, your profile, what you post, who you follow, what you like and repost,
          and who invited you. If you join the waitlist: your email address. If a member vouches for
          you: the address that the member typed, for 180 days.
        </Trans>
      </p>
      <h2>
        <Trans>What it is used for</Trans>
      </h2>
      <p>
        <Trans>
          Your email address is used to log you in, and, on the waitlist, to notify you when it is
          your turn. It is never shown to other members. There is no advertising and no tracking,
          and nothing is sold or passed on.
        </Trans>
      </p>
      <h2>
        <Trans>Cookies</Trans>
      </h2>
      <p>
        <Trans>
          One cookie keeps you logged in. A second cookie, set for 15 minutes when you request a
          login link, ties that link to your browser. Your browser also stores your theme, the fact
          that you're logged in, and drafts, which are removed when you post. It keeps pictures that
          you have seen, and what you share with {siteName} from other apps, until you log out.
        </Trans>
      </p>
      <h2>
        <Trans>Push notifications</Trans>
      </h2>
      <p>
        <Trans>
          If you switch them on, the push service of your browser's maker passes them on. They are
          encrypted for your browser: the service learns when you get one, and not what it says.
        </Trans>
      </p>
      <h2>
        <Trans>Pictures</Trans>
      </h2>
      <p>
        <Trans>
          Hidden details of pictures, such as where they were taken, are removed before anyone sees
          them.
        </Trans>
      </p>
      <h2>
        <Trans>Who sees what</Trans>
      </h2>
      <p>
        <Trans>
          Posts and profiles are visible to members only. The operator of this server can read what
          it stores.
        </Trans>
      </p>
    </LegalPage>
  );
}
