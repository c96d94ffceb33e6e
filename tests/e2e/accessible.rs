//! The rules of axe on the page's states, where axe is installed.

use serde_json::Value;

use crate::Outcome;
use crate::journey::{Proxy, journey};
use crate::page::Page;
use crate::stand_in::{EXAMPLE, Moment, World};

/// What axe finds wrong, in one line a finding; `CALLSHEET_AXE` names its `axe.min.js` (npm: axe-core).
async fn findings(page: &Page, axe: &str) -> Outcome<Vec<String>> {
    page.browser.client.execute(axe, Vec::new()).await?;
    // The DOM contract gives a card's header a name of its own; what else it shows describes it. Colours that a program
    // printed are its own choice.
    let script = "
        const done = arguments[0];
        axe.run({ exclude: ['.output-line [style]'] }, { rules: { 'label-content-name-mismatch': { enabled: false } } }).then(
            result => done(result.violations.map(found => `${found.id}: ${found.help}: ${found.nodes.map(node => node.html).slice(0, 3).join(' ')}`)),
            error => done([String(error)]));";
    let found: Value = page.browser.client.execute_async(script, Vec::new()).await?;
    Ok(serde_json::from_value(found)?)
}

#[tokio::test]
async fn axe_finds_nothing_wrong() -> Outcome {
    let Some(path) = std::env::var_os("CALLSHEET_AXE") else {
        eprintln!("not checked: CALLSHEET_AXE does not name an axe.min.js");
        return Ok(());
    };
    let axe = std::fs::read_to_string(path)?;
    journey("axe", World::example(Moment::now()), Proxy::Healthy, async |page| {
        page.open("#/").await?;
        page.find("[data-testid=sessions] a").await?;
        assert_eq!(findings(page, &axe).await?, Vec::<String>::new(), "the list");
        page.open_session(EXAMPLE).await?;
        page.shown("toolu_01F").await?;
        assert_eq!(findings(page, &axe).await?, Vec::<String>::new(), "all closed");
        for id in ["toolu_01A", "toolu_02E", "toolu_01E"] {
            page.open_card(id).await?;
        }
        for scheme in ["light", "dark"] {
            let feature = serde_json::json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
            page.browser.devtools("Emulation.setEmulatedMedia", feature).await?;
            assert_eq!(findings(page, &axe).await?, Vec::<String>::new(), "three open, {scheme}");
        }
        Ok(())
    })
    .await
}
