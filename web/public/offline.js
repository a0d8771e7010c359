// As soon as the server answers again, the page that was meant.
const AGAIN = 5000;

async function look() {
    try {
        const answer = await fetch("/api/session");
        if (answer.ok) location.reload();
    } catch {
        // not yet
    }
}

addEventListener("online", look);
setInterval(look, AGAIN);
